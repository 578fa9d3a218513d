// Nothing: the precompiled header needs a target to belong to.
