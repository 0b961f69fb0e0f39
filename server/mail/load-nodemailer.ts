import { access } from 'node:fs/promises'
import { join } from 'node:path'

const PACKAGE = join(import.meta.dirname, '../../node_modules/nodemailer/package.json')

/** Checks for the package's file first, because Node caches a failed package lookup until the process ends. */
export async function loadNodemailer(): Promise<
  Pick<typeof import('nodemailer'), 'createTransport'>
> {
  await access(PACKAGE)
  return import('nodemailer')
}
