declare module 'virtual:texts' {
  type Language = import('../shared/language.ts').Language
  type Excerpts = import('../shared/page-content.ts').Excerpts

  /** Made by tools/vite/content-chunks.ts. */
  export const excerpts: {
    [Name in keyof Excerpts]: Record<Language, () => Promise<{ default: Excerpts[Name] }>>
  }
}
