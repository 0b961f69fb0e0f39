const MOST_REPORTS = 10
let reports = 0

/** Tells the server about a script error, so that it stands in its log; a bounded number of them. Never fails. */
export function sendErrorReport(error: unknown): void {
  reports += 1
  if (reports > MOST_REPORTS) return
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

/** The folder of this site's scripts: `/assets/`, in development the whole origin. */
const SCRIPTS = import.meta.url.replace(/[^/]*$/, '')

/** True for an error event of this site's own script. Apps inject theirs under the document's address. */
export function isOwnError({ filename, message }: ErrorEvent): boolean {
  const own = filename.startsWith(SCRIPTS) && filename !== window.location.href
  return own && !message.startsWith('ResizeObserver')
}
