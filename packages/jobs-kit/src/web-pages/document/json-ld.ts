/** What search engines are told of an article. */
export interface ArticleData {
  readonly title: string | null
  readonly author: string | null
  readonly publishedAt: string | null
  readonly siteName: string | null
  /** False: the rest is for subscribers. Null: it is not said. */
  readonly isFree: boolean | null
}

const nothing: ArticleData = { title: null, author: null, publishedAt: null, siteName: null, isFree: null }
const mostObjects = 500
const deepest = 6
const articleTypes = /(^|\/)(\w*Article|BlogPosting|Report|LiveBlogPosting|SocialMediaPosting|Review|WebPage|CreativeWork)$/

/** Reads the article among the objects of `<script type="application/ld+json">`; what is no JSON says nothing. */
export function readJsonLd(scripts: readonly string[]): ArticleData {
  const objects = scripts.flatMap(parse)
  const articles = objects.filter((object) => typesOf(object).some((type) => articleTypes.test(type)))
  const article = articles.find((object) => 'headline' in object) ?? articles[0]
  if (article === undefined) return nothing
  return {
    title: textIn(article.headline) ?? textIn(article.name),
    author: namesIn(article.author),
    publishedAt: textIn(article.datePublished),
    siteName: namesIn(article.publisher),
    isFree: articles.map(({ isAccessibleForFree }) => freedom(isAccessibleForFree)).find((free) => free !== null) ?? null,
  }
}

type JsonLdObject = Readonly<Record<string, unknown>>

function parse(script: string): JsonLdObject[] {
  try {
    const found: JsonLdObject[] = []
    collect(JSON.parse(script), found, 0)
    return found
  } catch {
    return []
  }
}

function collect(value: unknown, found: JsonLdObject[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth > deepest || found.length >= mostObjects) return
  if (Array.isArray(value)) {
    for (const item of value.slice(0, mostObjects)) collect(item, found, depth + 1)
    return
  }
  found.push(value as JsonLdObject)
  const { '@graph': graph, mainEntity, mainEntityOfPage } = value as JsonLdObject
  for (const part of [graph, mainEntity, mainEntityOfPage]) collect(part, found, depth + 1)
}

function typesOf({ '@type': type }: JsonLdObject): string[] {
  return [type].flat().filter((one) => typeof one === 'string')
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** A name, an object with one, or a list of such. */
function namesIn(value: unknown): string | null {
  const names = [value].flat().flatMap((one) => textIn(one) ?? textIn((one as JsonLdObject | null)?.name) ?? [])
  return names.length > 0 ? names.slice(0, 10).join(', ') : null
}

function freedom(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return null
  return /^(https?:\/\/schema\.org\/)?(true|false)$/i.test(value.trim()) ? /true$/i.test(value.trim()) : null
}
