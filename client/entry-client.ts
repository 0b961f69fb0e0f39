import type { PageState } from '../shared/page-state.ts'
import { attempt } from './attempt.ts'
import { sendErrorReport } from './error-reports.ts'
import { endSplashAtInput } from './splash-input.ts'
import { loadTexts } from './texts.ts'

/** Resolves after the first paint, which the scripts must not delay. A hidden tab does not paint. */
function waitForPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    if (document.hidden) resolve(undefined)
    else requestAnimationFrame(() => setTimeout(resolve))
  })
}

async function start(): Promise<void> {
  await waitForPaint()
  const state: PageState = JSON.parse(document.getElementById('state')?.textContent ?? '')
  const [{ hydrate }, texts] = await Promise.all([
    import('./hydrate.tsx'),
    loadTexts(state.language),
  ])
  hydrate(state, texts)
}

attempt(endSplashAtInput)
// After a failure, the page stays as the server sent it; its links and forms work without script.
start().catch(sendErrorReport)
