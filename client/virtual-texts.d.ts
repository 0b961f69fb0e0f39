declare module 'virtual:texts' {
  type Language = import('../shared/language.ts').Language
  type Excerpts = import('../shared/page-texts.ts').Excerpts

  /** Made by build/texts.ts. */
  export const excerpts: {
    [Name in keyof Excerpts]: Record<Language, () => Promise<{ default: Excerpts[Name] }>>
  }
}
