#if JXL
    import CJXL
    import GannetCore
    import Testing

    /// Writes JPEG XL files that our encoder does not write, through the library's own one.
    struct JXLSample {
        /// A part of the image that is drawn over the existing content.
        struct Layer {
            var x = 0
            var y = 0
            var width: Int
            var height: Int
            /// Straight samples, `channels` a pixel.
            var samples: [Int]
            var mode = JXL_BLEND_REPLACE
        }

        var width: Int
        var height: Int
        /// Colours and alpha: 1 and 2 are grey.
        var channels = 3
        var bits = 8
        var orientation = Orientation.up
        /// A further channel beside colours and alpha, full of 7s.
        var extra: JxlExtraChannelType?
        var transfer = JXL_TRANSFER_FUNCTION_SRGB
        var primaries = JXL_PRIMARIES_SRGB
        var isLossless = true
        /// In ticks of a hundredth of a second; nil: layers of one picture.
        var durations: [Int]?
        var layers: [Layer]

        func bytes() throws -> [UInt8] {
            let encoder = try #require(JxlEncoderCreate(nil))
            defer { JxlEncoderDestroy(encoder) }
            let hasAlpha = channels % 2 == 0
            var info = JxlBasicInfo()
            JxlEncoderInitBasicInfo(&info)
            info.xsize = UInt32(width)
            info.ysize = UInt32(height)
            info.bits_per_sample = UInt32(bits)
            info.num_color_channels = channels < 3 ? 1 : 3
            info.num_extra_channels = (hasAlpha ? 1 : 0) + (extra == nil ? 0 : 1)
            info.alpha_bits = hasAlpha ? UInt32(bits) : 0
            info.uses_original_profile = isLossless ? 1 : 0
            info.orientation = JxlOrientation(rawValue: UInt32(orientation.rawValue))
            if durations != nil {
                info.have_animation = 1
                info.animation.tps_numerator = 100
                info.animation.tps_denominator = 1
            }
            try check(JxlEncoderSetBasicInfo(encoder, &info))
            if let extra {
                var channel = JxlExtraChannelInfo()
                JxlEncoderInitExtraChannelInfo(extra, &channel)
                channel.bits_per_sample = UInt32(bits)
                try check(JxlEncoderSetExtraChannelInfo(encoder, hasAlpha ? 1 : 0, &channel))
            }
            var colors = JxlColorEncoding()
            JxlColorEncodingSetToSRGB(&colors, channels < 3 ? JXL_TRUE : JXL_FALSE)
            colors.transfer_function = transfer
            colors.primaries = primaries
            try check(JxlEncoderSetColorEncoding(encoder, &colors))
            for index in layers.indices { try add(index, encoder) }
            JxlEncoderCloseInput(encoder)
            return try finish(encoder)
        }

        /// A JPEG file written as JPEG XL without loss.
        static func recompressed(_ jpeg: [UInt8]) throws -> [UInt8] {
            let encoder = try #require(JxlEncoderCreate(nil))
            defer { JxlEncoderDestroy(encoder) }
            let settings = try #require(JxlEncoderFrameSettingsCreate(encoder, nil))
            try #require(JxlEncoderAddJPEGFrame(settings, jpeg, jpeg.count) == JXL_ENC_SUCCESS)
            JxlEncoderCloseInput(encoder)
            return try JXLSample(width: 0, height: 0, layers: []).finish(encoder)
        }

        private func add(_ index: Int, _ encoder: OpaquePointer) throws {
            let layer = layers[index]
            let settings = try #require(JxlEncoderFrameSettingsCreate(encoder, nil))
            try check(JxlEncoderSetFrameLossless(settings, isLossless ? JXL_TRUE : JXL_FALSE))
            try check(JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, 1))
            var header = JxlFrameHeader()
            JxlEncoderInitFrameHeader(&header)
            if let durations { header.duration = UInt32(durations[index]) }
            if layers.count > 1 {
                header.layer_info.have_crop = JXL_TRUE
                header.layer_info.crop_x0 = Int32(layer.x)
                header.layer_info.crop_y0 = Int32(layer.y)
                header.layer_info.xsize = UInt32(layer.width)
                header.layer_info.ysize = UInt32(layer.height)
                header.layer_info.blend_info.blendmode = layer.mode
                header.layer_info.blend_info.source = index == 0 ? 0 : 1
                header.layer_info.save_as_reference = 1
            }
            try check(JxlEncoderSetFrameHeader(settings, &header))
            if channels % 2 == 0, layers.count > 1 {
                var blend = header.layer_info.blend_info
                try check(JxlEncoderSetExtraChannelBlendInfo(settings, 0, &blend))
            }
            var format = JxlPixelFormat(
                num_channels: UInt32(channels), data_type: JXL_TYPE_UINT16, endianness: JXL_NATIVE_ENDIAN, align: 0)
            // The library wants samples of 16 bits over their whole range.
            let scale = 65535.0 / Double(1 << bits - 1)
            let wide = layer.samples.map { UInt16((Double($0) * scale).rounded()) }
            try check(wide.withUnsafeBytes { JxlEncoderAddImageFrame(settings, &format, $0.baseAddress, $0.count) })
            guard extra != nil else { return }
            let plane = [UInt16](repeating: 7, count: layer.width * layer.height)
            try check(
                plane.withUnsafeBytes {
                    JxlEncoderSetExtraChannelBuffer(
                        settings, &format, $0.baseAddress, $0.count, channels % 2 == 0 ? 1 : 0)
                })
        }

        private func finish(_ encoder: OpaquePointer) throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            var left = bytes.count
            let status = bytes.withUnsafeMutableBufferPointer { target in
                var next = target.baseAddress
                return JxlEncoderProcessOutput(encoder, &next, &left)
            }
            try check(status)
            return Array(bytes.dropLast(left))
        }

        private func check(_ status: JxlEncoderStatus) throws { try #require(status == JXL_ENC_SUCCESS) }
    }
#endif
