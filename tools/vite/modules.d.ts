declare module 'virtual:page-content' {
  type Language = import('../../shared/language.ts').Language
  type PageContent = import('../../shared/page-content.ts').PageContent

  /** content-chunks.ts generates it. */
  export const pageContent: {
    [Name in keyof PageContent]: Record<Language, () => Promise<{ default: PageContent[Name] }>>
  }
}

declare module 'subset-font' {
  interface SubsetOptions {
    targetFormat?: 'sfnt' | 'woff' | 'woff2'
    /** OpenType features to keep; all by default. */
    keepFeatures?: readonly string[]
    /** A number fixes the axis at this value. */
    variationAxes?: Record<string, number | { min: number; max: number }>
  }

  /** Reduces a font to the characters of a text. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options?: SubsetOptions,
  ): Promise<Uint8Array>
}
