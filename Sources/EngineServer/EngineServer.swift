// EngineServer
