import { deepEqual } from 'node:assert/strict'
import { LANGUAGES, type Language } from '../../shared/language.ts'
import { openChromium } from '../harness/engines/chromium.ts'
import { type Engine, PROFILES } from '../harness/engines/engine.ts'
import { openFirefox } from '../harness/engines/firefox.ts'
import { openWebKit } from '../harness/engines/webkit.ts'
import { startSiteProxy } from '../harness/site-proxy.ts'
import { CHAPTERS } from './browsers/story.ts'
import { createVisit } from './browsers/visit.ts'
import { type Proof, startProvedSite, withStores } from './proof.ts'

const ENGINES: Record<string, Engine> = {
  Chromium: openChromium,
  Firefox: openFirefox,
  WebKit: openWebKit,
}
/** Not Chromium, in which test/browser/ runs; `--engine Chromium` runs the chapters in it. */
const USUAL = ['Firefox', 'WebKit']

/** Runs the chapters of story.ts in each engine and language. */
export const prove: Proof = ({ report, engines = USUAL }) =>
  withStores(['sqlite'], async (_, createStore) => {
    const site = await startProvedSite(await createStore(), {
      environment: { CONTACT_LIMIT: '2' },
      isKept: ({ msg }) => msg === 'a script failed in a browser',
    })

    async function tell(name: string, open: Engine, language: Language, title: string) {
      const chapter = `${name}, ${language}, ${title}`
      const proxy = await startSiteProxy(site.url)
      const tab = await open(PROFILES.find((each) => each === title) ?? 'default')
      try {
        const words = await CHAPTERS[title]?.(createVisit(tab, proxy, language))
        // Chromium logs each answer with a status of 400 or above; the chapters expect such answers.
        const noise = tab.noise?.filter((line) => !line.startsWith('Failed to load resource')) ?? []
        deepEqual([...noise, ...site.logged.splice(0)], [])
        report.claim(words ? `${chapter}: ${words}` : chapter, true)
      } catch (error) {
        report.claim(`${chapter}: ${String(error).replaceAll(/\s+/g, ' ')}`, false)
      }
      await tab.close()
      proxy.stop()
    }

    for (const name of engines) {
      try {
        const open = ENGINES[name]
        if (!open) throw new Error('unknown engine')
        const { version, noise, close } = await open('default')
        await close()
        report.note(`${name} ${version}${noise ? '' : '; its console cannot be read'}`)
        for (const language of LANGUAGES) {
          for (const title of Object.keys(CHAPTERS)) await tell(name, open, language, title)
        }
      } catch (error) {
        report.claim(`${name} works: ${error}`, false)
      }
    }
    await site.stop()
  })
