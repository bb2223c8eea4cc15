"""A grey image on which a mask is shown among other structures."""

WRITES = "files"
MODALITY = "image"
PARAMETERS = {
    "mask": {"$ref": "#/$defs/mask_factor"},
    "contrast": {"$ref": "#/$defs/number_factor"},
}


def scan(rng, *, mask, contrast=None):
    return [b"" for _ in mask]
