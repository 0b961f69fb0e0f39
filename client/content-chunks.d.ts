declare module 'virtual:page-content' {
  type Language = import('../shared/language.ts').Language
  type PageContent = import('../shared/page-content.ts').PageContent

  /** tools/vite/content-chunks.ts generates it. */
  export const pageContent: {
    [Name in keyof PageContent]: Record<Language, () => Promise<{ default: PageContent[Name] }>>
  }
}
