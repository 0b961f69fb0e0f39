const MAX_REPORTS = 10
let reports = 0

/** Reports a script error to the server, which logs it; at most MAX_REPORTS for a document. Never throws. */
export function sendErrorReport(error: unknown): void {
  reports += 1
  if (reports > MAX_REPORTS) return
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: '' }
  const body = JSON.stringify({
    message: message.slice(0, 500),
    stack: (stack ?? '').slice(0, 4000),
    path: window.location.pathname,
  })
  fetch('/api/client-errors', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
    keepalive: true,
  }).catch(() => {})
}

/** The address of `/assets/`; in development of the whole origin. */
const SCRIPTS = import.meta.url.replace(/[^/]*$/, '')

/** True for an error in a script of this site. In-app browsers inject scripts under the document's address. */
export function isOwnError({ filename, message }: ErrorEvent): boolean {
  const own = filename.startsWith(SCRIPTS) && filename !== window.location.href
  return own && !message.startsWith('ResizeObserver')
}
