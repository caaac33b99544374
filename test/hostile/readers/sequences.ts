/** Characters and sequences that patterns stumble over; each is repeated until the text is long. */
export const SEQUENCES: readonly string[] = [
  '\n', ' ', '\t', '\r', '<', '>', '<a>', '</', '<!--', '`', '```\n', '*', '**a', '_', '#', '-', '|', '"', "'", '\\',
  '(', '[', '{', ')', ']', '}', ':', '/', '.', '?', ',', '=', '~', '$', '@', '0', '1.', 'a', 'aA1_', 'A-1 ', '\u0000', '\u001b[', '\ud800',
  '\udc00', '\u0301', 'e\u0301', '漢', '。', '\u{1f468}\u200d\u{1f469}\u200d', 'http://', 'key=', 'sk-', '- [ ] ', 'a ', 'a. ', 'a\n', '\n \n',
  ' \t', '\r\n', '[a](', '<summary>', '“a', '"a" ', 'a/', 'a@a.', '# a\n', '> ', '+ a: b\n', '+++ ', '-----BEGIN ', '<system-reminder>', 'User: ', '<think></think>', 'a-', '; a', '\u200b', '\u001b]', 'a=b ', '[message ', '“', 'now ', '<<a\n',
]
