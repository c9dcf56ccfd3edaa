import GannetCore
