-- Filter for pandoc that converts documents of the kit to pages of the site. SITE_SOURCE is the document's path in the
-- kit. SITE_PAGES is a file with a line "PATH PAGE" for each document that is a page.
local source, pages = os.getenv("SITE_SOURCE"), {}
for line in io.lines(os.getenv("SITE_PAGES")) do
  local path, page = line:match("^(%S+) (%S+)$")
  pages[path] = page
end

-- Returns the path in the kit of a link target relative to the document.
local function resolved(target)
  local parts = {}
  for part in (source:match("^(.*/)") or "" .. ""):gmatch("[^/]+") do parts[#parts + 1] = part end
  for part in target:gmatch("[^/]+") do
    if part == ".." then parts[#parts] = nil elseif part ~= "." then parts[#parts + 1] = part end
  end
  return table.concat(parts, "/")
end

-- Converts a link to a file that is not a page to plain text.
function Link(link)
  if link.target:match("^%a+:") or link.target:match("^#") then return nil end
  local path, fragment = link.target:match("^([^#]*)(.*)$")
  local page = pages[resolved(path)]
  if not page then return link.content end
  link.target = page .. fragment
  return link
end

function Image(image)
  image.src = resolved(image.src):gsub("^docs/", "")
  return image
end

-- Makes elements that scroll reachable by keyboard.
function CodeBlock(block)
  block.attributes.tabindex = "0"
  return block
end
-- Gives each table a unique name: the heading above it, and a number from the second table on.
local part, tables = "", {}
function Header(header)
  part = pandoc.utils.stringify(header)
end
function Table(one)
  tables[part] = (tables[part] or 0) + 1
  local name = "Table: " .. part .. (tables[part] > 1 and ", " .. tables[part] or "")
  return pandoc.Div({one}, pandoc.Attr("", {"scroll"}, {tabindex = "0", role = "region", ["aria-label"] = name}))
end
