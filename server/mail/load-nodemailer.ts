import { access } from 'node:fs/promises'
import { join } from 'node:path'

const PACKAGE = join(import.meta.dirname, '../../node_modules/nodemailer/package.json')

export type Nodemailer = Pick<typeof import('nodemailer'), 'createTransport'>

/**
 * Imports nodemailer. Node remembers as long as the process lives that a package was missing, so the package is
 * looked for first: a later call then finds what was installed meanwhile.
 */
export async function loadNodemailer(): Promise<Nodemailer> {
  await access(PACKAGE)
  return import('nodemailer')
}
