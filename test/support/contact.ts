import request from 'supertest'
import { VALID } from '../../tools/harness/client.ts'

export { VALID }

interface Site {
  url: string
}

export function post(site: Site, body: object | string = VALID, headers: object = {}) {
  return request(site.url)
    .post('/api/contact')
    .set({ 'Content-Type': 'application/json', ...headers })
    .send(typeof body === 'string' ? body : JSON.stringify(body))
}

export function postForm(
  site: Site,
  fields: Record<string, string> | string,
  headers: object = {},
) {
  return request(site.url)
    .post('/contact')
    .redirects(0)
    .set({ 'Content-Type': 'application/x-www-form-urlencoded', ...headers })
    .send(typeof fields === 'string' ? fields : new URLSearchParams(fields).toString())
}
