/** Tells the server about a script error, so that it stands in its log. Never fails. */
export function reportError(error: unknown): void {
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

/** Whether an error event comes from this site's own script, and says that something is broken. */
export function isOwnError({ filename, message }: ErrorEvent): boolean {
  return filename.startsWith(`${window.location.origin}/`) && !message.startsWith('ResizeObserver')
}
