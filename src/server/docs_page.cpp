#include "server/docs_page.hpp"

namespace openenv {
inline namespace v0 {
namespace server {

std::string docs_page() {
    return R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>OpenEnv server</title>
<link rel="icon" href="data:,">
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; }
  h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .3rem; }
  code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
  pre { background: #f4f6f9; border-radius: 6px; padding: .8rem; overflow-x: auto; }
  .method { display: inline-block; min-width: 3.2rem; font-weight: 600; color: #0b5fa5; }
  .note { border-left: 4px solid #d9a400; background: #fff8e1; padding: .6rem 1rem; }
  summary { cursor: pointer; color: #0b5fa5; }
  #problem { color: #a51d0b; }
</style>
</head>
<body>
<h1>OpenEnv server</h1>
<p>An agent's training loop talks to this server over one WebSocket per session at <code>/ws</code>:
<code>{"type":"reset","data":{}}</code>, <code>{"type":"step","data":{&hellip;}}</code>,
<code>{"type":"state"}</code>, <code>{"type":"close"}</code>; one answer for each message, in order.</p>
<p class="note"><strong>POST /reset, POST /step and GET /state are stateless.</strong> Each of these calls
builds a fresh environment, uses it once and throws it away: two calls to /step are no episode. To keep an
episode, use the WebSocket.</p>
<div id="paths"></div>
<p id="problem"></p>
<p><a href="/openapi.json">openapi.json</a> &middot; <a href="/schema">schema</a> &middot;
<a href="/metadata">metadata</a> &middot; <a href="/health">health</a></p>
<script>
  const add = (parent, tag, text, cls) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (cls) node.className = cls;
    parent.append(node);
    return node;
  };
  const detail = (parent, title, value) => {
    const box = add(parent, 'details');
    add(box, 'summary', title);
    add(box, 'pre', JSON.stringify(value, null, 2));
  };
  fetch('openapi.json').then(r => r.json()).then(api => {
    const paths = document.getElementById('paths');
    for (const [path, methods] of Object.entries(api.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const heading = add(paths, 'h2');
        add(heading, 'span', method.toUpperCase(), 'method');
        add(heading, 'code', path);
        add(paths, 'div', operation.summary);
        if (operation.description) add(paths, 'div', operation.description);
        if (operation.requestBody) detail(paths, 'request', operation.requestBody);
        detail(paths, 'responses', operation.responses);
      }
    }
    const schemas = add(paths, 'h2', 'Schemas');
    for (const [name, schema] of Object.entries(api.components.schemas)) detail(paths, name, schema);
  }).catch(error => { document.getElementById('problem').textContent = 'openapi.json: ' + error; });
</script>
</body>
</html>
)html";
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
