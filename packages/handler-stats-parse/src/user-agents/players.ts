import type { UserAgentEntry } from './entry.ts'

/** Players inside other apps: who listens is real, which app it is they do not tell. */
export const libraries: readonly UserAgentEntry[] = [
  ['AppleCoreMedia', 'library', /^AppleCoreMedia\b/],
  ['ExoPlayer', 'library', /ExoPlayer(?:Lib)?\/|AndroidXMedia3\//],
  ['stagefright', 'library', /stagefright\//],
  ['GStreamer', 'library', /^GStreamer\b|\bgst-plugins|souphttpsrc/i],
  ['FFmpeg', 'library', /^Lavf\//],
  ['okhttp', 'library', /okhttp/],
  ['Dalvik', 'library', /^Dalvik\//],
  ['CFNetwork', 'library', /\bCFNetwork\/[\d.]+ Darwin\//],
  ['Android download', 'library', /^AndroidDownloadManager/],
]

/** Browsers: those that also call themselves Chrome or Safari come first, and apps that show pages before them. */
export const browsers: readonly UserAgentEntry[] = [
  ['Facebook', 'browser', /^Mozilla\/.*\[FB(?:AN|_IAB)/],
  ['Instagram', 'browser', /^Mozilla\/.*\bInstagram \d/],
  ['TikTok', 'browser', /^Mozilla\/.*(?:musical_ly|BytedanceWebview|\bTikTok)/],
  ['Google app', 'browser', /^Mozilla\/.*\bGSA\//],
  ['Edge', 'browser', /^Mozilla\/.*\bEdg(?:e|A|iOS)?\//],
  ['Opera', 'browser', /^Mozilla\/.*\b(?:OPR|OPT|OPX)\/|^Opera\//],
  ['Samsung Internet', 'browser', /^Mozilla\/.*\bSamsungBrowser\//],
  ['Vivaldi', 'browser', /^Mozilla\/.*\bVivaldi\//],
  ['Brave', 'browser', /^Mozilla\/.*\bBrave\b/i],
  ['DuckDuckGo', 'browser', /^Mozilla\/.*\b(?:DuckDuckGo|Ddg)\//],
  ['Yandex Browser', 'browser', /^Mozilla\/.*\bYaBrowser\//],
  ['UC Browser', 'browser', /^Mozilla\/.*\bUCBrowser\//],
  ['Silk', 'browser', /^Mozilla\/.*\bSilk\//],
  ['Firefox', 'browser', /^Mozilla\/.*\b(?:Firefox|FxiOS|Focus)\//],
  ['Android WebView', 'browser', /^Mozilla\/.*; wv\).*\bChrome\//],
  ['Chrome', 'browser', /^Mozilla\/.*\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', 'browser', /^Mozilla\/.*\bSafari\//],
  ['iOS WebView', 'browser', /^Mozilla\/.*\b(?:iPhone|iPad|iPod)\b.*AppleWebKit\//],
  ['Internet Explorer', 'browser', /^Mozilla\/.*(?:\bMSIE |Trident\/)/],
]
