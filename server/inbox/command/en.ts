import { en as content } from '../../../shared/content/index.ts'
import type { ConfigError } from '../../config/config.ts'
import { explainUnavailable, type InboxUnavailable, MESSAGE_STATUSES } from '../inbox.ts'

export const en = {
  usage: `Usage: npm run inbox -- COMMAND [--lang fr|en]

  list [--status STATUS]            the newest 50 messages
  show REFERENCE                    everything of one message
  export --format jsonl|csv [--status STATUS]
                                    every message, oldest first
  import FILE.jsonl                 reads back an export; mails only what was still new
  release REFERENCE                 not spam: mails a message out of quarantine
  retry [REFERENCE]                 mails a dead message, or a waiting one, at once; alone: all of them
  archive REFERENCE                 marks a message as dealt with; it will not be mailed
  erase REFERENCE | --email ADDRESS erases a message, or all messages of an address
  purge                             erases messages older than RETENTION_DAYS or QUARANTINE_DAYS
  backup FILE                       a checked copy, while the site runs (SQLite)
  verify                            finds damage, orphans and changed messages
  stats                             figures

STATUS is one of ${MESSAGE_STATUSES.join(', ')}.
DATABASE_URL names the inbox (sqlite:./data/inbox.sqlite).
Exit status: 0 done, 1 failed or not found, 2 wrong usage.
`,

  commandMissing: 'A command is missing',
  unknownCommand: (name: string) => `Unknown command: ${name}`,
  tooManyWords: 'Too many words after the command',
  needsOperand: { reference: 'A reference is missing', file: 'A file is missing' },
  wrongOption: (option: string, command: string) => `${option} does not belong to ${command}`,
  repeatedOption: (option: string) => `Write ${option} only once`,
  notOneOf: (option: string, choices: string) => `${option} must be one of: ${choices}`,
  eraseNeedsOne: 'erase takes either a reference or --email with an address',

  noMessageFrom: (email: string) => `There is no message from ${email}.`,
  moreMessages: 'There are older ones; export writes them all.',
  changes: {
    released: (reference: string) => `${reference} is released and will be mailed.`,
    archived: (reference: string) => `${reference} is archived.`,
    retried: (reference: string) => `${reference} will be mailed now.`,
    queued: (reference: string) => `${reference} is queued; it will be mailed once mail works.`,
    gone: (reference: string) => `${reference} was erased before.`,
    unknown: (reference: string) => `There is no message ${reference}.`,
    'not-quarantined': (reference: string) => `${reference} is not in quarantine.`,
    'not-waiting': (reference: string) =>
      `${reference} is not waiting to be mailed, or is being mailed at this moment; \`show ${reference}\` shows its status.`,
  },
  retriedCount: 'Messages queued again',

  erased: 'Messages erased',
  purged: 'Messages past their time that were erased',
  remainder: 'Older backups, exports and mail that was sent still hold the text.',
  scrubBusy: 'Others kept reading the database.',
  scrubFailed:
    'Its files may still hold the text of erased messages: run `purge` once the cause has ended.',
  scrubUnsupported:
    'The files and the WAL of PostgreSQL still hold the text. VACUUM and checkpoints let PostgreSQL overwrite it; delete archived WAL yourself.',

  exported: 'Messages exported',
  checked: 'Messages checked',
  imported: 'Messages imported',
  present: 'Messages that were here already',
  different: 'Not imported, because this inbox has other messages under these references:',
  erasedHere: 'Not imported, because they were erased from this inbox:',
  lineTooLong: (line: number) => `Line ${line} is too long. Nothing was imported.`,
  notUtf8: (line: number) => `Line ${line} is not UTF-8. Nothing was imported.`,
  notAnObject: (line: number) => `Line ${line} is not a JSON object. Nothing was imported.`,
  wrongField: (line: number, field: string, detail: string) =>
    `Line ${line}, ${field}: ${detail}. Nothing was imported.`,

  fileErrors: {
    EEXIST: 'exists already; a backup never replaces a file',
    ENOENT: 'does not exist',
    ENOTDIR: 'is not a folder',
    EISDIR: 'is a folder',
    ESPIPE: 'is not a file that can be read twice; save the export in a file first',
    EACCES: 'is closed to this user',
    EPERM: 'is closed to this user',
    EROFS: 'is read-only',
    ENOSPC: 'has no space left',
    EIO: 'could not be read or written: no space, or a disk error',
    ENOTSUP:
      'is backed up by pg_dump instead, also during use: `pg_dump --format=custom --exclude-table-data=receipts --exclude-table-data=hits "$DATABASE_URL" > FILE`. `export --format jsonl` works too.',
    UNSOUND: 'was not written: the copy has faults; `verify` names them',
  },
  unusable: (code: string) => `cannot be used: ${code}`,

  copying: 'Copying and checking',
  copied: (file: string) => `The inbox is copied to ${file}, and the copy was checked.`,
  checking: 'Checking the store as a whole',
  verified: 'Messages verified',
  isSound: 'Nothing is wrong with the inbox.',
  storeFaults: {
    damaged: 'the database is damaged',
    orphan: 'row that belongs to nothing',
    'no-outbox-row': 'message without an outbox row',
    'no-message': 'outbox row without a message',
    'new-not-queued': 'new, but not queued',
    'queued-not-new': 'queued, but not new',
    changed: 'changed since it was stored',
  },

  statuses: {
    new: 'new',
    mailed: 'mailed',
    dead: 'dead',
    quarantined: 'quarantined',
    archived: 'archived',
  },
  outcomes: {
    mailed: 'mailed',
    later: 'failed, to be retried',
    refused: 'refused, to be retried',
    misconfigured: 'failed by a wrong setting, to be retried',
    dead: 'dead',
  },
  timeZone: 'Toronto time',
  languages: { fr: 'French', en: 'English' },
  services: content.contact.form.services,
  fields: {
    reference: 'Reference',
    receivedAt: 'Received',
    status: 'Status',
    lastTry: 'Last try',
    trapped: 'Filled traps',
    firstName: 'First name',
    lastName: 'Last name',
    name: 'Name',
    email: 'Email',
    service: 'Sector',
    language: 'Language',
    message: 'Message',
  },
  figures: {
    oldest: 'oldest',
    newest: 'newest',
    nextMail: 'next mail due',
    none: 'none',
    mailIsOff: 'mail is off',
  },

  unavailable: (error: InboxUnavailable) =>
    `The inbox is unavailable. ${explainUnavailable(error)}`,
  notNoted: (error: InboxUnavailable) =>
    `The inbox could not note this reading in its audit table. ${explainUnavailable(error)}`,
  wrongSettings: ({ message }: ConfigError) => message,
  failed: (message: string) => message,
  colon: ':',
}

export type Words = typeof en
