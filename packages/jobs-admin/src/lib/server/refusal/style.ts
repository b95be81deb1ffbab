/** All of the style that a refusal has: the page's own sheet comes with its scripts. */
export const refusalStyle = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
body{background:light-dark(#f7f6f3,#121417);color:light-dark(#1b1d1f,#e8e9eb);display:grid;margin:0;min-height:100dvh;padding:1.5rem;place-items:center;box-sizing:border-box}
main{background:light-dark(#fff,#1a1d21);border:1px solid light-dark(#dfdcd4,#32373f);border-radius:.75rem;box-sizing:border-box;max-width:34rem;overflow-wrap:anywhere;padding:2rem;width:100%}
.site{color:light-dark(#0b5a66,#74cfd9);font-size:.875rem;font-weight:650;margin:0 0 .75rem}
h1{font-size:1.375rem;letter-spacing:-.01em;line-height:1.25;margin:0 0 .75rem}
p{margin:0 0 .75rem}
dl{background:light-dark(#f1efea,#24282e);border-radius:.5rem;margin:0 0 .75rem;padding:.75rem 1rem}
dt,small{color:light-dark(#5a5e65,#a6adb7);font-size:.8125rem}
dd{margin:0}
code{font:.875em ui-monospace,Menlo,Consolas,"Liberation Mono",monospace}
nav{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:1.25rem}
a{border:1px solid light-dark(#85816f,#7b838e);border-radius:.5rem;color:inherit;font-size:.875rem;font-weight:550;padding:.4rem .9rem;text-decoration:none}
a:first-child{background:light-dark(#0b5a66,#74cfd9);border-color:transparent;color:light-dark(#fff,#06191c)}
a:hover{text-decoration:underline}a:focus-visible{outline:2px solid light-dark(#0b5a66,#74cfd9);outline-offset:2px}
small{display:block;margin-top:1.25rem}`
