import { deepEqual } from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { LANGUAGES, type Language } from '../../shared/language.ts'
import { type Engine, PROFILES } from '../harness/engines/engine.ts'
import { startEngines } from '../harness/engines/start-engines.ts'
import { startSiteProxy } from '../harness/site-proxy.ts'
import { CHAPTERS } from './browsers/story.ts'
import { createVisit } from './browsers/visit.ts'
import { type Proof, startSite, withStores } from './proof.ts'

const FOLDER = join(import.meta.dirname, '../../dist/pictures/engines')
const CHAPTER_TIMEOUT_MS = 300_000
/** Chromium logs every answer of 400 and above. */
const PLANNED_NOISE = /^Failed to load resource/

async function failLate(): Promise<never> {
  await setTimeout(CHAPTER_TIMEOUT_MS, undefined, { ref: false })
  throw new Error('timed out')
}

/** Tells a visitor's story in each engine that this machine has or can install, and takes pictures. */
export const prove: Proof = ({ report, engines: names }) =>
  withStores(['sqlite'], async (_, stores) => {
    const site = await startSite(await stores.create(), {
      environment: { CONTACT_LIMIT: '2' },
      ignoreLog: false,
      isKept: ({ msg }) => msg === 'a script failed in a browser',
    })
    const proxy = await startSiteProxy(site.url)
    const { engines, missing } = await startEngines(names)
    for (const name of missing) report.claim(`this machine has ${name}`, false)
    mkdirSync(FOLDER, { recursive: true })
    const images: string[] = []

    async function tell(title: string, engine: Engine, language: Language): Promise<void> {
      const chapter = `${engine.name}, ${language}, ${title}`
      const profile = PROFILES.find((each) => each === title) ?? 'default'
      if (!engine.profiles.includes(profile)) {
        report.note(`${chapter}: this build of the engine has no such setting`)
        return
      }
      proxy.reset()
      site.logged.length = 0
      const tab = await engine.open(profile)
      const takePicture = async (name: string) => {
        const file = `${name}-${language}-${engine.name}.png`
        writeFileSync(join(FOLDER, file), await tab.capture())
        images.push(`<img src="${file}" alt="${file}" width="640">`)
      }
      try {
        const visit = createVisit(tab, { proxy, language, takePicture })
        await visit.resize(1280)
        const words = await Promise.race([CHAPTERS[title]?.(visit), failLate()])
        const noise = tab.noise?.filter((line) => !PLANNED_NOISE.test(line)) ?? []
        deepEqual([...noise, ...site.logged], [])
        report.claim(words ? `${chapter}: ${words}` : chapter, true)
      } catch (error) {
        report.claim(`${chapter}: ${String(error).replaceAll(/\s+/g, ' ')}`, false)
      } finally {
        await tab.close()
      }
    }

    for (const engine of engines) {
      for (const language of LANGUAGES) {
        for (const title of Object.keys(CHAPTERS)) await tell(title, engine, language)
      }
      await engine.close?.()
    }
    writeFileSync(join(FOLDER, 'index.html'), images.sort().join('\n'))
    report.note(`${images.length} pictures, side by side: dist/pictures/engines/index.html`)
    proxy.stop()
    await site.stop()
  })
