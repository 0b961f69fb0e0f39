import type { IncomingMessage as Incoming, ServerOptions } from 'node:http'
import type { Express } from 'express'
import { IncomingMessage, ServerResponse } from './node-http.ts'

export interface HttpClasses {
  options: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>
  /** Must be called before the app's first request. */
  setApp(app: Express): void
}

/**
 * Creates classes for requests and responses that have the prototypes of an Express app from the start. Otherwise
 * Express changes the prototype of each object, and V8 is slower with such an object.
 */
export function createHttpClasses(): HttpClasses {
  class Request extends IncomingMessage {}
  class Response<T extends Incoming> extends ServerResponse<T> {}
  return {
    options: { IncomingMessage: Request, ServerResponse: Response },
    setApp(app) {
      Object.setPrototypeOf(Request.prototype, app.request)
      Object.setPrototypeOf(Response.prototype, app.response)
      Object.assign(app, { request: Request.prototype, response: Response.prototype })
    },
  }
}
