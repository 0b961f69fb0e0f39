/** node:http without WebSocket and undici, which `import` would load with it: see docs/decisions/0015-fast-path.md. */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http')
