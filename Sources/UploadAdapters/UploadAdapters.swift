// UploadAdapters
