package dev.kudu4j.tools.fs;

import dev.kudu4j.server.fs.Instance;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** How a list of files is printed: for people, for a spreadsheet, for a program. */
enum ListFormat {
  pretty {
    @Override
    void print(Instance instance, List<FileEntry> entries, PrintWriter out) {
      if (instance != null) {
        out.printf(
            "%s %s, Raft port %d%n", instance.daemon(), instance.uuid(), instance.raftPort());
      }
      List<List<String>> lines = new ArrayList<>();
      lines.add(FileEntry.TITLES);
      entries.forEach(entry -> lines.add(entry.texts()));
      int[] widths = new int[FileEntry.TITLES.size()];
      for (List<String> line : lines) {
        for (int i = 0; i < widths.length; i++) {
          widths[i] = Math.max(widths[i], line.get(i).length());
        }
      }
      lines.forEach(line -> out.println(aligned(line, widths)));
      long tablets = entries.stream().filter(e -> e.kind().equals("superblock")).count();
      long bytes = entries.stream().mapToLong(FileEntry::bytes).sum();
      out.printf("%d tablets, %d files, %d bytes%n", tablets, entries.size(), bytes);
    }
  },
  csv {
    @Override
    void print(Instance instance, List<FileEntry> entries, PrintWriter out) {
      out.println(String.join(",", FileEntry.TITLES));
      entries.forEach(
          entry ->
              out.println(
                  entry.texts().stream()
                      .map(ListFormat::csvCell)
                      .collect(Collectors.joining(","))));
    }
  },
  json {
    @Override
    void print(Instance instance, List<FileEntry> entries, PrintWriter out) {
      out.print("{\"server\": ");
      if (instance == null) {
        out.print("null");
      } else {
        out.printf(
            "{\"uuid\": %s, \"daemon\": %s, \"raft_port\": %d}",
            quoted(instance.uuid()), quoted(instance.daemon()), instance.raftPort());
      }
      out.print(",\n \"files\": [");
      String separator = "\n  ";
      for (FileEntry entry : entries) {
        out.print(separator + object(entry));
        separator = ",\n  ";
      }
      out.println("]}");
    }
  };

  private static final int FIRST_NUMBER = FileEntry.TITLES.indexOf("rows");

  abstract void print(Instance instance, List<FileEntry> entries, PrintWriter out);

  private static String aligned(List<String> line, int[] widths) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - line.get(i).length());
      text.append(i >= FIRST_NUMBER ? padding + line.get(i) : line.get(i) + padding);
      text.append(i + 1 < widths.length ? "  " : "");
    }
    return text.toString();
  }

  private static String csvCell(String text) {
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  private static String object(FileEntry entry) {
    List<String> members = new ArrayList<>();
    List<String> texts = entry.texts();
    for (int i = 0; i < texts.size(); i++) {
      String number = texts.get(i).isEmpty() ? "null" : texts.get(i);
      String value = i >= FIRST_NUMBER ? number : quoted(texts.get(i));
      members.add(quoted(FileEntry.TITLES.get(i)) + ": " + value);
    }
    return "{" + String.join(", ", members) + "}";
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
