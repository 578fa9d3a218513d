# placeholder until the install tree is described
