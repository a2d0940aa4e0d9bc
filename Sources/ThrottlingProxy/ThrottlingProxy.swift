// ThrottlingProxy
