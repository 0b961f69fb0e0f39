declare module 'virtual:texts' {
  type Language = import('../shared/language.ts').Language
  type Excerpts = import('../shared/page-content.ts').Excerpts

  /** tools/vite/content-chunks.ts generates it. */
  export const excerpts: {
    [Name in keyof Excerpts]: Record<Language, () => Promise<{ default: Excerpts[Name] }>>
  }
}
