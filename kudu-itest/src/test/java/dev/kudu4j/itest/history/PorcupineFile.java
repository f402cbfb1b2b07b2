package dev.kudu4j.itest.history;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Writes histories for Porcupine, the checker in Go: an array that unmarshals into {@code
 * []porcupine.Operation}, with the register's key in each input, so that its {@code Partition} can
 * separate them. docs/faults.md contains the model for it.
 *
 * <pre>
 *   {"ClientId":3,"Input":{"Key":7,"Op":"write","Value":12},"Call":1045,"Output":{"Value":12},"Return":2099}
 * </pre>
 */
public final class PorcupineFile {
  private PorcupineFile() {}

  /**
   * @param histories by the register's key
   */
  public static void write(Path file, Map<Long, List<RegisterCall>> histories) throws IOException {
    ObjectMapper json = new ObjectMapper();
    ArrayNode operations = json.createArrayNode();
    histories.forEach((key, calls) -> calls.forEach(call -> add(operations, key, call)));
    json.writeValue(file.toFile(), operations);
  }

  private static void add(ArrayNode operations, long key, RegisterCall call) {
    ObjectNode operation = operations.addObject();
    operation.put("ClientId", call.client());
    operation
        .putObject("Input")
        .put("Key", key)
        .put("Op", call.isRead() ? "read" : "write")
        .put("Value", call.isRead() ? 0 : call.value());
    operation.put("Call", call.invokedNanos());
    operation.putObject("Output").put("Value", call.value());
    operation.put("Return", call.answeredNanos());
  }
}
