import request from 'supertest'
import type { Language } from '../../shared/language.ts'
import { createVisitor, postForm, type Site, VALID } from './site.ts'

type Reach = (site: Site, language: Language) => Promise<{ status: number; text: string }>

const inLanguage = (language: Language) => ({
  ...createVisitor(),
  Cookie: `rg-language=${language}`,
})

const STATES: Record<string, Reach> = {
  errors: (site, language) =>
    postForm(site, { firstName: '<Zoé>', formStartTime: '0' }, inLanguage(language)),

  async sent(site, language) {
    const { headers } = await postForm(site, VALID, inLanguage(language))
    return request(site.url).get(String(headers.location))
  },

  async 'the limit reached'(site, language) {
    const visitor = inLanguage(language)
    for (const message of ['Un premier message', 'Un second message']) {
      await postForm(site, { ...VALID, message }, visitor)
    }
    return postForm(site, VALID, visitor)
  },

  'another site': (site, language) =>
    postForm(site, VALID, { ...inLanguage(language), Origin: 'https://evil.example' }),

  'too large': (site, language) =>
    postForm(site, { ...VALID, message: 'x'.repeat(33_000) }, inLanguage(language)),
}

export const FORM_STATES = Object.keys(STATES)

/** Returns the contact page after a form was sent without script. The site must trust one proxy (BEHIND_PROXY). */
export async function openFormState(site: Site, language: Language, state: string) {
  const answer = await STATES[state]?.(site, language)
  if (!/-(?:summary|notice)">/.test(answer?.text ?? '')) throw new Error(`There is no ${state}`)
  return answer?.text ?? ''
}
