package dev.kudu4j.tools.local;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;

/** The status of a local cluster as JSON. Unknown values are null. */
final class StatusJson {
  private StatusJson() {}

  static void printNotRunning(ClusterDirectory cluster, PrintWriter out) throws IOException {
    try (JsonGenerator json = open(out)) {
      json.writeStartObject();
      json.writeBooleanField("running", false);
      json.writeBooleanField("healthy", false);
      json.writeStringField("directory", cluster.toString());
      json.writeEndObject();
    }
    out.println();
  }

  static void print(
      ClusterDirectory cluster,
      ClusterShape shape,
      ClusterReport report,
      ProcessFacts facts,
      PrintWriter out)
      throws IOException {
    try (JsonGenerator json = open(out)) {
      json.writeStartObject();
      json.writeBooleanField("running", true);
      json.writeBooleanField("healthy", report.isHealthy());
      json.writeStringField("directory", cluster.toString());
      json.writeNumberField("pid", facts.pid());
      json.writeNumberField("age_seconds", facts.age().toSeconds());
      writeKnown(json, "memory_bytes", facts.residentBytes());
      json.writeNumberField("memory_limit_bytes", LocalMemory.limit(shape.memoryBytes()));
      json.writeArrayFieldStart("servers");
      for (ServerReport server : report.servers()) {
        write(json, server);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    out.println();
  }

  private static void write(JsonGenerator json, ServerReport server) throws IOException {
    json.writeStartObject();
    json.writeStringField("server", server.name());
    json.writeStringField("state", server.state());
    json.writeBooleanField("healthy", server.isHealthy());
    writeKnown(json, "tablets", server.tablets());
    writeKnown(json, "memory_bytes", server.memoryBytes());
    json.writeStringField("rpc", server.rpc());
    json.writeStringField("web", server.web());
    json.writeEndObject();
  }

  private static void writeKnown(JsonGenerator json, String name, long value) throws IOException {
    if (value < 0) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, value);
    }
  }

  private static JsonGenerator open(PrintWriter out) throws IOException {
    return new JsonFactory()
        .createGenerator(out)
        .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
        .useDefaultPrettyPrinter();
  }
}
