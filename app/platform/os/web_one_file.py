#!/usr/bin/env python3
"""web_one_file.py PAGE OUT: the folder PAGE as one HTML file that opens from disk."""
import base64
import gzip
import pathlib
import re
import sys

page, out = map(pathlib.Path, sys.argv[1:])
packed = base64.b64encode(gzip.compress((page / "normscope.wasm").read_bytes(), 9, mtime=0)).decode()
script = (page / "normscope.js").read_text().replace("</script", "<\\/script")
# A file from disk may fetch no other: the bytes are unpacked, then the program is begun.
begin = f"""<script type="text/plain" id="program">{script}</script>
<script>
(async () => {{
  const bytes = Uint8Array.from(atob("{packed}"), c => c.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  Module.wasmBinary = await new Response(unpacked).arrayBuffer();
  const begin = document.createElement("script");
  begin.textContent = document.getElementById("program").textContent;
  document.body.append(begin);
}})().catch(error => tell("NormScope could not be unpacked: " + error));
</script>"""
html, found = re.subn('<script src="normscope.js".*</script>', lambda _: begin, (page / "index.html").read_text())
assert found == 1
out.write_text(html)
