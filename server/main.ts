import { setTimeout as wait } from 'node:timers/promises'
import { company, findPlaceholders } from '../shared/content/company.ts'
import { type Config, ConfigError, isLoopback, loadConfig } from './config.ts'
import { toMailbox } from './inbox/message.ts'
import { explainUnavailable, StoreUnavailable } from './inbox/store-errors.ts'
import { createLog, type Logger, openStandardOutput } from './log.ts'
import { startSite } from './site.ts'

/** A database that does not answer must not hold up the exit: every confirmed message is stored. */
const STOP_TIMEOUT_MS = 14_000

/** Time in which a proxy notices that the site is not ready, and takes its next requests elsewhere. */
const NOTICE_MS = 2000

const withoutTag = (email: string) => email.replace(/\+[^@]*@/, '@')

/** Logs the settings that an operator should know, and problems that do not prevent a start. */
function logStartupNotes({ host, publicOrigins, mail }: Config, log: Logger): void {
  const placeholders = findPlaceholders(company)
  if (placeholders.length > 0) {
    const advice = 'facts about the firm are placeholders; edit shared/content/company.json'
    log.warn({ placeholders }, advice)
  }
  if (!isLoopback(host) && publicOrigins.length === 0) {
    log.warn('PUBLIC_URL is not set: absolute links point to localhost; set it in production')
  }
  if (!mail) {
    log.warn('mail is off: SMTP_URL, MAIL_FROM and MAIL_TO are not set; messages stay in the inbox')
  } else if (toMailbox(withoutTag(mail.from)) === toMailbox(withoutTag(mail.to))) {
    log.warn(
      'MAIL_FROM and MAIL_TO are the same mailbox: a reply may then go to it and not to the visitor; send from another address',
    )
  }
}

/** Explains a failed start to the operator; returns an unexpected error unchanged. */
function explainFailure(error: unknown): unknown {
  if (error instanceof ConfigError) return error.message
  if (error instanceof StoreUnavailable) return explainUnavailable(error)
  const { syscall = '', message } = error as NodeJS.ErrnoException
  if (!['listen', 'getaddrinfo'].includes(syscall)) return error
  return `The site cannot listen (${message}): set HOST to an address of this machine, PORT and METRICS_PORT to free ports that the site may open`
}

async function start(): Promise<void> {
  const isDevelopment = process.argv.includes('--dev')
  const config = loadConfig(process.env)
  const destination = await openStandardOutput(isDevelopment)
  const log = createLog({ level: config.logLevel, destination, isDevelopment })
  logStartupNotes(config, log)
  let site: Awaited<ReturnType<typeof startSite>> | undefined
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, async () => {
      // npm and a terminal may each send the signal.
      if (isStopping) return
      isStopping = true
      log.info({ signal }, 'stopping: requests and mails in flight get a short time to finish')
      setTimeout(() => process.exit(0), STOP_TIMEOUT_MS)
      // Nothing was confirmed before the site listens.
      if (!site) process.exit(0)
      if (signal === 'SIGTERM' && !isDevelopment) {
        site.announceStop()
        await wait(NOTICE_MS)
      }
      await site.stop(isDevelopment ? 0 : undefined)
      log.info('stopped')
      process.exit(0)
    })
  }
  site = await startSite(config, { log, isDevelopment })
  const { host, revision } = config
  log.info({ port: site.port, revision }, `listening on http://${host}:${site.port}`)
}

start().catch((error) => {
  console.error(explainFailure(error))
  process.exit(1)
})
