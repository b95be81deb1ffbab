/** What a user agent is: counted under its name (`app`, `browser`, `library`), or left out (`bot`, `watch`). */
export type UserAgentKind = 'app' | 'browser' | 'library' | 'bot' | 'watch'

/** Name, kind and what its user agents look like. */
export type UserAgentEntry = readonly [name: string, kind: UserAgentKind, pattern: RegExp]

/**
 * The first entry that fits decides, so what is more particular stands first: bots, then apps, libraries, browsers.
 * Only what is listed is a bot; a word such as "bot" in an unknown user agent is not enough.
 */
export const userAgentTable: readonly UserAgentEntry[] = [
  // Apple Watch fetches what the paired telephone fetches as well (IAB 2.3).
  ['Apple Watch', 'watch', /^atc\/.*watchOS|\(null\)\/\(null\) watchOS/],

  // Search engines and other crawlers.
  ['Googlebot', 'bot', /Googlebot|Google-Podcast|FeedFetcher-Google|GoogleOther|APIs-Google|AdsBot-Google|Google-Read-Aloud/],
  ['Bingbot', 'bot', /bingbot|BingPreview|msnbot/i],
  ['Applebot', 'bot', /Applebot/],
  ['Yandex', 'bot', /YandexBot|YandexMedia|YandexImages/],
  ['Baidu', 'bot', /Baiduspider/i],
  ['DuckDuckBot', 'bot', /DuckDuckBot/],
  ['Facebook', 'bot', /facebookexternalhit|facebookcatalog|meta-externalagent|FacebookBot/i],
  ['X', 'bot', /^Twitterbot\//],
  ['Slack', 'bot', /Slackbot/],
  ['Discord', 'bot', /Discordbot/],
  ['Telegram', 'bot', /TelegramBot/],
  ['LinkedIn', 'bot', /LinkedInBot/],
  ['AhrefsBot', 'bot', /AhrefsBot|AhrefsSiteAudit/],
  ['SemrushBot', 'bot', /SemrushBot/],
  ['MJ12bot', 'bot', /MJ12bot/],
  ['DotBot', 'bot', /DotBot\//],
  ['PetalBot', 'bot', /PetalBot/],
  ['Bytespider', 'bot', /Bytespider/],
  ['Amazonbot', 'bot', /Amazonbot/],
  ['GPTBot', 'bot', /GPTBot|ChatGPT-User|OAI-SearchBot/],
  ['ClaudeBot', 'bot', /ClaudeBot|Claude-Web|anthropic-ai/],
  ['PerplexityBot', 'bot', /PerplexityBot/],
  ['CCBot', 'bot', /^CCBot\//],
  ['Internet Archive', 'bot', /archive\.org_bot|ia_archiver/],
  ['UptimeRobot', 'bot', /UptimeRobot/],

  // Servers of podcast services: they fetch once for many, or only look.
  ['Amazon Music (server)', 'bot', /^Amazon Music Podcast/],
  ['Spotify (server)', 'bot', /^Spotify\/1\.0$/],
  ['Overcast (server)', 'bot', /^Overcast\/1\.0 Podcast Sync|^Overcast%20Transcriber\//],
  ['Apple Podcasts (server)', 'bot', /^iTMS/],
  ['Podcastindex', 'bot', /^Podcastindex\.org|^Podping/i],
  ['Podchaser', 'bot', /^Podchaser|PodchaserParser/],
  ['Listen Notes', 'bot', /ListenNotes/i],
  ['Deezer (server)', 'bot', /^Deezer Podcasters\//],
  ['Blubrry', 'bot', /^Blubrry|^PodcastFeedFetcher/i],

  // Download tools and scripts.
  ['curl', 'bot', /^(?:lib)?curl|^PycURL\/| curl\//],
  ['Wget', 'bot', /Wget/],
  ['Python', 'bot', /python-requests|^python-httpx\/|^Python-urllib|^Python\/\d.*aiohttp\/|^Scrapy\//],
  ['Go', 'bot', /^Go-http-client/],
  ['Node', 'bot', /^axios\/|^node-fetch|^Bun\/|^got \(/],
  ['Java', 'bot', /Apache-HttpClient|^AHC\/\d|^Java\//],
  ['aria2', 'bot', /^aria2\//],

  // Podcast apps.
  ['NRK Radio', 'app', /^NRK ?Radio\/|^NRK%20Radio\//],
  ['Overcast', 'app', /^Overcast(?:\/| Player )/],
  ['Apple Podcasts', 'app', /^(?:Podcasts|Podkaster|Podcaster|Balados|AirPodcasts)\//],
  ['Pocket Casts', 'app', /^(?:Shifty Jelly )?Pocket(?: |%20)?Casts/],
  ['AntennaPod', 'app', /^(?:AntennaPod|de\.danoeh\.antennapod)\//],
  ['Spotify', 'app', /^Spotify(?:\/|-Lite)/],
  ['Amazon Music', 'app', /^AmazonMusic/],
  ['Alexa', 'app', /^AlexaMediaPlayer\/|^Echo\/|^AlexaService\//],
  ['Castro', 'app', /^Castro(?:\/| )/],
  ['Castbox', 'app', /^CastBox|fm\.castbox/i],
  ['Podcast Addict', 'app', /^Podcast ?Addict/i],
  ['Player FM', 'app', /^Player ?FM/i],
  ['Podbean', 'app', /^Podbean\//i],
  ['Downcast', 'app', /^Downcast\//],
  ['Podimo', 'app', /^Podimo/i],
  ['Podme', 'app', /^Podme/i],
  ['Podtail', 'app', /^Podtail/i],
  ['Acast', 'app', /^Acast\b/],
  ['Fountain', 'app', /^Fountain(?:\.fm)?\//i],
  ['Podverse', 'app', /^Podverse/],
  ['Podcast Guru', 'app', /^PodcastGuru/],
  ['TuneIn', 'app', /^TuneIn/i],
  ['Deezer', 'app', /^Deezer\//],
  ['YouTube Music', 'app', /^com\.google\.android\.apps\.youtube\.music\//],
  ['Google Podcasts', 'app', /^GooglePodcasts\/|GoogleChirp/],
  ['gPodder', 'app', /^gPodder\//i],
  ['iTunes', 'app', /^iTunes\//],
  ['Sonos', 'app', /\bSonos\//],
  ['VLC', 'app', /^VLC\/|LibVLC\//],
  ['Kodi', 'app', /^Kodi\//],

  // Players inside other apps: who listens is real, which app is not told.
  ['AppleCoreMedia', 'library', /^AppleCoreMedia\b/],
  ['ExoPlayer', 'library', /ExoPlayerLib\/|AndroidXMedia3\//],
  ['stagefright', 'library', /stagefright\//],
  ['okhttp', 'library', /okhttp/],

  // Browsers: the ones that also call themselves Chrome or Safari come first.
  ['Edge', 'browser', /^Mozilla\/.*\bEdg(?:e|A|iOS)?\//],
  ['Opera', 'browser', /^Mozilla\/.*\bOPR\/|^Opera\//],
  ['Samsung Internet', 'browser', /^Mozilla\/.*\bSamsungBrowser\//],
  ['Vivaldi', 'browser', /^Mozilla\/.*\bVivaldi\//],
  ['Firefox', 'browser', /^Mozilla\/.*\b(?:Firefox|FxiOS|Focus)\//],
  ['Chrome', 'browser', /^Mozilla\/.*\b(?:Chrome|CriOS)\//],
  ['Safari', 'browser', /^Mozilla\/.*\bSafari\//],
]
