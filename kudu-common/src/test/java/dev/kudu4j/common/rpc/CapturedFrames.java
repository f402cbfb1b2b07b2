package dev.kudu4j.common.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;

/** Frames recorded between published clients and servers, by name. */
public final class CapturedFrames {
  private CapturedFrames() {}

  public static byte[] bytes(String name) {
    try (InputStream input = CapturedFrames.class.getResourceAsStream("/vectors.json")) {
      for (JsonNode frame : new ObjectMapper().readTree(input).get("frames")) {
        if (frame.get("name").asText().equals(name)) {
          return HexFormat.of().parseHex(frame.get("hex").asText());
        }
      }
      throw new IllegalArgumentException("No captured frame is called " + name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
