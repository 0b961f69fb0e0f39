import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createAddress, post } from './client.ts'
import type { Proof } from './main.ts'
import { runInboxCommand, startSite } from './site.ts'
import { patiently, withInbox, withStores } from './stores.ts'

const MESSAGES = 3000
const PART_ERASED = 0.3
const CANARY = 'Zqxcanary'
const LONGEST = 200

function count(bytes: Buffer): number {
  let found = 0
  for (let at = bytes.indexOf(CANARY); at >= 0; at = bytes.indexOf(CANARY, at + 1)) found += 1
  return found
}

/** How often each file of the store holds the canary. */
function countCanaries(url: string): string {
  const folder = dirname(url.slice('sqlite:'.length))
  const files = readdirSync(folder).sort()
  return files.map((name) => `${name} ${count(readFileSync(join(folder, name)))}`).join(', ')
}

/** By the calls of the command in one process, because a thousand processes would take an hour. */
async function eraseRest(url: string, emails: string[]): Promise<void> {
  await withInbox(url, async (inbox) => {
    for (const email of emails) await inbox.eraseEmail(email, 10, patiently())
  })
  await runInboxCommand(url, 'purge')
}

/** What is erased while the site runs leaves no byte in the files of SQLite. */
export const prove: Proof = ({ random, report, count: messages = MESSAGES }) =>
  withStores(['sqlite'], async (_, stores) => {
    const url = await stores.create()
    const site = await startSite(url)
    const erased = { references: [] as string[], emails: [] as string[] }
    for (let posted = 0; posted < messages; posted++) {
      const canary = random() < PART_ERASED
      const word = canary ? CANARY : 'Harmless'
      const email = `${word}-${posted}@exemple.ca`
      const message = `${word} `.repeat(2 + Math.floor(random() * LONGEST))
      const content = { firstName: `${word}${posted}`, lastName: word, email, message }
      const { reference } = await post(site.url, content, createAddress())
      if (!canary || !reference) continue
      if (random() < 0.1) erased.references.push(reference)
      else erased.emails.push(email)
    }
    report.note(`${messages} messages; before: ${countCanaries(url)}`)
    const commands = [
      ...erased.references.map((reference) => ['erase', reference]),
      ...erased.emails.slice(0, 20).map((email) => ['erase', '--email', email]),
    ]
    for (const command of commands) await runInboxCommand(url, ...command)
    report.note(`${commands.length} commands; meanwhile: ${countCanaries(url)}`)
    await eraseRest(url, erased.emails.slice(20))
    const after = countCanaries(url)
    report.claim(`after: ${after}`, !/ [1-9]/.test(after))
    await runInboxCommand(url, 'verify')
    await site.end()
  })
