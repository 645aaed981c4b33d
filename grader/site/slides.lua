-- Filter for pandoc, after pages.lua, that converts the parts of a lab's handout that a lecture shows to slides. A part is a
-- slide. Each paragraph that begins with a sentence in bold is a slide, too, with this sentence as its title.
local PARTS = {["What you will learn"] = true, ["The picture"] = true, ["The idea"] = true, ["A worked example"] = true,
  ["What goes wrong, and what the grader says"] = true, ["Questions to think about"] = true}

local function bold_title(block)
  local first = block.t == "Para" and block.content[1]
  if not first or first.t ~= "Strong" then return nil end
  local words = pandoc.utils.stringify(first)
  return words:match("%.$") and words or nil
end

function Pandoc(doc)
  local out, wanted = pandoc.List(), true
  for _, block in ipairs(doc.blocks) do
    local title = wanted and bold_title(block)
    if block.t == "Header" and block.level <= 2 then
      local words = pandoc.utils.stringify(block)
      wanted = block.level == 1 or PARTS[words]
      if block.level == 2 and wanted then out:insert(pandoc.Header(2, block.content)) end
    elseif title then
      out:insert(pandoc.Header(2, (title:gsub("%.$", ""))))
      table.remove(block.content, 1)
      out:insert(block)
    elseif wanted then
      out:insert(block)
    end
  end
  -- Remove titles of slides without text.
  local kept = pandoc.List()
  for k, block in ipairs(out) do
    local next_one = out[k + 1]
    if block.t ~= "Header" or (next_one and next_one.t ~= "Header") then kept:insert(block) end
  end
  doc.blocks = kept
  return doc
end
