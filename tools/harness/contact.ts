import request from 'supertest'
import { NOON, type Site } from '../../test/support/site.ts'

/** A request that is accepted, when the form was opened a minute before noon. */
export const VALID = {
  firstName: 'Zoé',
  lastName: 'L’Écuyer-O’Neil',
  email: 'zoe@exemple.ca',
  service: 'francophone',
  message: 'Bonjour,\nnous cherchons une formation.',
  formStartTime: String(NOON - 60_000),
  website: '',
  url: '',
  phone_hidden: '',
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
