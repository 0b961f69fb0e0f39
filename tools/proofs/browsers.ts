import { deepEqual } from 'node:assert/strict'
import { LANGUAGES, type Language } from '../../shared/language.ts'
import { openChromium } from '../harness/engines/chromium.ts'
import { type Engine, PROFILES } from '../harness/engines/engine.ts'
import { openFirefox } from '../harness/engines/firefox.ts'
import { openWebKit } from '../harness/engines/webkit.ts'
import { CHAPTERS } from './browsers/story.ts'
import { createVisit } from './browsers/visit.ts'
import { type Proof, startProvedSite, withStores } from './proof.ts'

const ENGINES: Record<string, Engine> = {
  Chromium: openChromium,
  Firefox: openFirefox,
  WebKit: openWebKit,
}

/** Runs the chapters of story.ts in the installed engines, for machines that cannot fetch Playwright's builds. BROWSER
 * names one of them, such as `firefox`. */
export const prove: Proof = ({ report }) =>
  withStores(['sqlite'], async (_, database) => {
    const site = await startProvedSite(database)

    async function tell(name: string, open: Engine, language: Language, title: string) {
      const chapter = `${name}, ${language}, ${title}`
      try {
        const tab = await open(PROFILES.find((each) => each === title) ?? 'default')
        const told = CHAPTERS[title]?.(createVisit(tab, site.url, language))
        await told?.finally(() => tab.close())
        // Chromium logs each answer with a status of 400 or above; the chapters expect such answers.
        const noise = tab.noise?.filter((line) => !line.startsWith('Failed to load resource')) ?? []
        deepEqual(noise, [])
        report.claim(chapter, true)
      } catch (error) {
        report.claim(`${chapter}: ${String(error).replaceAll(/\s+/g, ' ')}`, false)
      }
    }

    for (const [name, open] of Object.entries(ENGINES)) {
      if (process.env.BROWSER && process.env.BROWSER !== name.toLowerCase()) continue
      for (const language of LANGUAGES) {
        for (const title of Object.keys(CHAPTERS)) await tell(name, open, language, title)
      }
    }
    await site.stop()
  })
