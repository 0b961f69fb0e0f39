import type { IncomingMessage as Incoming } from 'node:http'
import type { Express } from 'express'

/** node:http without WebSocket and undici, which `import` would load with it: see docs/decisions/0009-speed.md. */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http')

/** Without these classes, Express would change the prototype of each request and response, which slows V8 down. */
export function createHttpClasses() {
  class Request extends IncomingMessage {}
  class Response<T extends Incoming> extends ServerResponse<T> {}
  return {
    options: { IncomingMessage: Request, ServerResponse: Response },
    /** Call it before the app's first request. The app's own methods, such as that of addToEveryAnswer, are inherited. */
    setApp(app: Express): void {
      Object.setPrototypeOf(Request.prototype, app.request)
      Object.setPrototypeOf(Response.prototype, app.response)
      Object.assign(app, { request: Request.prototype, response: Response.prototype })
    },
  }
}
