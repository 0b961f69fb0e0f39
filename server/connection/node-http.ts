/**
 * node:http, as a require gives it: an import makes Node load all that it exports, its WebSocket and
 * with that undici too, which is a tenth of what a start takes.
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http')
