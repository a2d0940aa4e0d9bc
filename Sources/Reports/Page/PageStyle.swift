/// How a page looks: light and dark as the reader's system is, on a phone and on paper.
enum PageStyle {
  static let text = """
    :root { --back: #fff; --fore: #1b1f24; --soft: #5c6670; --rule: #d9dee3; --band: #f4f6f8;
      --carried: #2b7a4b; --handed: #b35900; --claimed: #1f5fbf; --asked: #8a4fbf;
      --good: #2b7a4b; --bad: #b3261e; --refused: #8f6a00; --open: #7a8590; }
    @media (prefers-color-scheme: dark) {
      :root { --back: #14171a; --fore: #e6e9ec; --soft: #9aa5b0; --rule: #333a41; --band: #1d2227;
        --carried: #5cc48a; --handed: #f0a050; --claimed: #7fb0ff; --asked: #c39bf0;
        --good: #5cc48a; --bad: #ff8a80; --refused: #e0b94a; --open: #8a96a2; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--back); color: var(--fore);
      font: 15px/1.5 system-ui, sans-serif; }
    main { max-width: 1200px; margin: 0 auto; padding: 16px; overflow-wrap: anywhere; }
    h1 { font-size: 1.6em; line-height: 1.2; margin: .4em 0; }
    h2 { font-size: 1.15em; margin: 1.6em 0 .5em; }
    h3 { font-size: 1em; margin: 1.4em 0 .4em; }
    code { font-size: .95em; }
    .small, small, .legend { color: var(--soft); font-size: .87em; }
    .verdict { padding: 8px 12px; border-left: 6px solid var(--open); background: var(--band); }
    .verdict.passed, .verdict.better { border-color: var(--good); }
    .verdict.failed, .verdict.worse, .verdict.mixed { border-color: var(--bad); }
    .verdict.inconclusive, .verdict.interrupted { border-color: var(--refused); }
    .sentences { list-style: none; padding: 0; }
    .sentences li { padding: 2px 0 2px 10px; margin: 4px 0; border-left: 4px solid var(--open); }
    .sentences .better { border-color: var(--good); }
    .sentences .worse { border-color: var(--bad); }
    .sentences .inconclusive, .sentences .different { border-color: var(--refused); }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: 3px 14px 3px 0;
      border-bottom: 1px solid var(--rule); overflow-wrap: break-word; }
    th { font-weight: 600; }
    details td:not(:last-child) { white-space: nowrap; }
    tr.failed td { background: color-mix(in srgb, var(--bad) 12%, transparent); }
    tr.failed small { display: block; }
    a { color: inherit; }
    summary { cursor: pointer; margin: 1em 0 .4em; font-weight: 600; }
    .legend { display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 1.4em 0 0; }
    .key::before { content: ""; display: inline-block; width: 16px; height: 0; margin-right: 6px;
      vertical-align: middle; border-top: 3px solid; }
    .key.carried::before { border-color: var(--carried); }
    .key.handed::before { border-color: var(--handed); border-top-style: dashed; }
    .key.claimed::before { border-color: var(--claimed); border-top-style: dotted; }
    .key.asked::before { border-color: var(--asked); }
    .key.good::before, .key.bad::before, .key.refused::before { height: 11px; border: 0; }
    .good, .key.good::before { background: var(--good); }
    .bad, .key.bad::before { background: repeating-linear-gradient(135deg, var(--bad) 0 4px,
      color-mix(in srgb, var(--bad) 45%, var(--back)) 4px 7px); }
    .refused, .key.refused::before { background: repeating-linear-gradient(90deg,
      var(--refused) 0 3px, color-mix(in srgb, var(--refused) 40%, var(--back)) 3px 5px); }
    .open { background: var(--open); }
    span.good, span.bad, span.refused { background: none; }
    .chart { position: relative; display: grid; grid-template-columns: 130px minmax(0, 1fr);
      row-gap: 6px; }
    .label { font-size: .87em; line-height: 1.25; padding-right: 10px; }
    .label small { display: block; font-size: .85em; }
    .plot, .bars, .axis { position: relative; min-width: 0; }
    .plot { border-left: 1px solid var(--rule); border-bottom: 1px solid var(--rule); }
    .plot svg { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
    .plot path { fill: none; vector-effect: non-scaling-stroke; stroke-width: 1.8; }
    path.grid { stroke: var(--rule); stroke-width: 1; }
    path.area { fill: var(--carried); stroke: none; opacity: .35; }
    path.carried:not(.area) { stroke: var(--carried); stroke-width: 2.4; }
    path.handed { stroke: var(--handed); stroke-dasharray: 7 4; }
    path.claimed { stroke: var(--claimed); stroke-dasharray: 2 3; stroke-width: 2.2; }
    path.asked { stroke: var(--asked); }
    path.even { fill: var(--claimed); opacity: .75; }
    path.odd { fill: var(--claimed); opacity: .3; }
    .plot path.even, .plot path.odd { fill: var(--claimed); }
    .plot path.area { fill: var(--carried); }
    .mark { position: absolute; left: 4px; font-size: 11px; line-height: 1; color: var(--soft);
      transform: translateY(50%); background: color-mix(in srgb, var(--back) 75%, transparent); }
    .bars { height: 20px; background: var(--band); overflow: hidden; }
    .bar { position: absolute; top: 2px; bottom: 2px; min-width: 2px; border-radius: 2px;
      overflow: hidden; font: 600 11px/16px system-ui, sans-serif; text-align: center;
      color: #fff; text-shadow: 0 0 2px #000, 0 0 2px #000, 0 0 3px #000; }
    .range { position: relative; height: 26px; background: var(--band); min-width: 0; }
    .range i { position: absolute; top: 7px; bottom: 7px; min-width: 4px;
      transform: translateX(-2px); border-radius: 2px; background: var(--open); }
    .range i.better { background: var(--good); }
    .range i.worse { background: var(--bad); }
    .range i.inconclusive, .range i.different { background: var(--refused); }
    .range .minimum { top: 0; bottom: 0; border-radius: 0; transform: none;
      background: color-mix(in srgb, var(--open) 28%, transparent); }
    .range .zero { top: 0; bottom: 0; left: 50%; min-width: 0; width: 0; border-radius: 0;
      transform: none; background: none; border-left: 1px solid var(--fore); }
    .diff { font-family: ui-monospace, monospace; font-size: .87em; list-style: none;
      padding: 0; }
    .diff .gone::before { content: "- "; color: var(--bad); }
    .diff .come::before { content: "+ "; color: var(--good); }
    .key.minimum::before { height: 11px; border: 0; background: var(--open); opacity: .35; }
    .axis { height: 22px; }
    .axis span { position: absolute; top: 2px; font-size: 11px; color: var(--soft);
      transform: translateX(-50%); white-space: nowrap; }
    .axis span:first-child { transform: none; }
    .axis span.last { transform: translateX(-100%); }
    .cursor { position: absolute; top: 0; bottom: 0; width: 0; pointer-events: none;
      border-left: 1px solid var(--fore); }
    #reading { position: fixed; left: 0; right: 0; bottom: 0; max-height: 40vh; overflow: hidden;
      padding: 8px 16px; background: var(--band); border-top: 1px solid var(--rule);
      font-size: .87em; }
    #reading b { margin-right: 12px; }
    #reading span { margin-right: 14px; white-space: nowrap; }
    #reading div { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    @media (max-width: 700px) {
      main { padding: 10px; }
      .chart { grid-template-columns: minmax(0, 1fr); row-gap: 2px; }
      .label { padding-top: 6px; }
      .label small { display: inline; margin-left: 8px; }
      .axis span.odd { display: none; } }
    @media print {
      main { max-width: none; }
      .bar, .bars, .range, .range i, path { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      section.variant { break-inside: avoid; }
      #reading, .cursor { display: none; } }

    """
}
