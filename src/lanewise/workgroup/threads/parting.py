def may_part(kernel, block):
    return False
