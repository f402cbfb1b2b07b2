package dev.kudu4j.tools.console;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Formats failures in one line. */
public final class ErrorText {
  private ErrorText() {}

  public static String of(Throwable failure) {
    if (failure instanceof NoSuchFileException missing) {
      return "There is no file " + missing.getFile() + "; check the path";
    }
    if (failure instanceof AccessDeniedException denied) {
      return "Cannot read "
          + denied.getFile()
          + " as user "
          + System.getProperty("user.name")
          + "; run as the server's user";
    }
    if (failure instanceof FileSystemException other) {
      return "Cannot read " + other.getFile() + ": " + other.getReason();
    }
    String message = failure.getMessage();
    return (message == null ? failure.toString() : message).replaceAll("\\s*\\R\\s*", " ");
  }
}
