/** What a finished job came to. */
export const result = {
  'result.title': 'Result',
  'result.as_data': 'Show as data',
  'result.failed.error': 'The result could not be drawn. It stands below as data; the error is in the server’s log.',
  'result.failed.too_slow': 'Reading the result took too long. It stands below as data; load the page again to try once more.',
  'result.all': 'Show all {n}',
  'result.all_text': 'Show the whole text',
  'result.fewer': 'Show fewer',
  'result.less_text': 'Show less',
  'result.more': 'There is more than this: the page shows the beginning only.',
  'result.doubtful': 'uncertain: {why}',
  'result.doubtful.count': '{n} segment is uncertain and marked.|{n} segments are uncertain and marked.',
  'waveform.text': '{length}. The highest level is {peak} %. {quiet} % of the time is nearly silent.',
  'waveform.silent': '{length}. There is no sound.',
} as const
