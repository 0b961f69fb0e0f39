import { access } from 'node:fs/promises'
import { join } from 'node:path'

const PACKAGE = join(import.meta.dirname, '../../node_modules/nodemailer/package.json')

/** Node caches a failed package lookup until the process ends, so this checks for the file first. */
export async function loadNodemailer(): Promise<
  Pick<typeof import('nodemailer'), 'createTransport'>
> {
  await access(PACKAGE)
  return import('nodemailer')
}
