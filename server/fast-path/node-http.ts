/** node:http without its WebSocket and undici, which an import of the module loads: see docs/decisions/0015-fast-path.md. */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http')
