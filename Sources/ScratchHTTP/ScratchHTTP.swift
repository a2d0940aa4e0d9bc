// ScratchHTTP
