package dev.kudu4j.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a run, in three forms: tables for the terminal, all numbers as JSON, and a page
 * with tables and charts.
 *
 * <pre>
 *   machine   the machine        terminal, JSON, page
 *   settings  of the run                   JSON, page
 *   tables, notes                terminal,       page
 *   charts                                       page
 *   data      every number                 JSON
 * </pre>
 */
public final class Report {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final String title;
  private final Machine machine;
  private final Map<String, Object> settings;
  private final List<Object> sections = new ArrayList<>(); // Table or String
  private final List<Chart> charts = new ArrayList<>();
  private final Map<String, Object> data = new LinkedHashMap<>();

  /**
   * @param settings names and values of the run's settings, in the order of the page
   */
  public Report(String title, Machine machine, Map<String, Object> settings) {
    this.title = title;
    this.machine = machine;
    this.settings = new LinkedHashMap<>(settings);
  }

  /** Adds a table after the existing sections. */
  public Report table(Table table) {
    sections.add(table);
    return this;
  }

  /** Adds a paragraph after the existing sections. */
  public Report note(String text) {
    sections.add(text);
    return this;
  }

  /** Adds a chart to the page. */
  public Report chart(Chart chart) {
    charts.add(chart);
    return this;
  }

  /** Adds a value to the JSON under this name. The value can be anything that Jackson can write. */
  public Report data(String name, Object value) {
    data.put(name, value);
    return this;
  }

  /** The tables and notes, separated by empty lines. */
  public String toMarkdown() {
    List<String> texts = new ArrayList<>();
    for (Object section : sections) {
      texts.add(section instanceof Table table ? table.toMarkdown() : section + "\n");
    }
    return String.join("\n", texts);
  }

  /** The text for the terminal: the machine, then {@link #toMarkdown()}. */
  public String toText() {
    return machine + "\n\n" + toMarkdown();
  }

  ObjectNode toJson() {
    ObjectNode json = MAPPER.createObjectNode();
    json.set("machine", MAPPER.valueToTree(machine));
    json.set("settings", MAPPER.valueToTree(settings));
    data.forEach((name, value) -> json.set(name, MAPPER.valueToTree(value)));
    return json;
  }

  public void writeJson(Path file) throws IOException {
    MAPPER.writeValue(file.toFile(), toJson());
  }

  /** Writes the report as one HTML file, which can be viewed without a network. */
  public void writePage(Path file) throws IOException {
    Files.writeString(
        file, new Page(title, machine.toString(), settings, sections, charts).render());
  }
}
