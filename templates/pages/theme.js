"use strict";
// The button that turns light into dark and back, whatever the system prefers.
document.querySelector(".theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.classList.contains("dark") ||
    (!root.classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches);
  root.classList.toggle("dark", !dark);
  root.classList.toggle("light", dark);
});
